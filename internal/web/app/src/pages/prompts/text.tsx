import { Text } from "@mantine/core";
import classes from "./text.module.css";

/** partsOf splits a text at its variables: {name}, {{name}}. Parts with an odd index are variables. */
export function partsOf(text: string): string[] {
  return text.split(/(\{\{[^{}\n]{1,80}\}\}|\{[^{}\n]{1,80}\})/);
}

/** Highlighted shows a prompt with its variables marked. */
function Highlighted({ text }: { text: string }) {
  return (
    <>
      {partsOf(text).map((part, n) => (n % 2 === 1 ? <mark key={n} className={classes.variable}>{part}</mark> : part))}
    </>
  );
}

/** PromptText shows a prompt as it is sent. */
export function PromptText({ text }: { text: string }) {
  return (
    <div className={`rt-panel ${classes.shown}`}>
      <Highlighted text={text} />
    </div>
  );
}

/** PromptEditor is a text area that grows with its text. To mark the variables, its letters are transparent and the same text is drawn under them. */
export function PromptEditor({ text, change, error }: { text: string; change: (text: string) => void; error?: string }) {
  return (
    <div>
      <div className={classes.stack}>
        <div aria-hidden>
          <Highlighted text={text} />{"\n "}
        </div>
        <textarea aria-label="Text of the prompt" aria-invalid={error ? true : undefined} value={text} onChange={(event) => change(event.currentTarget.value)} />
      </div>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}

/** VariablesNote says that nothing is filled in for variables, which people may expect from other products. */
export function VariablesNote({ text }: { text: string }) {
  const variables = [...new Set(partsOf(text).filter((_, n) => n % 2 === 1))];
  return (
    <Text size="xs" c="dimmed" maw={760}>
      The caller's goal, name, language and facts are added after the text automatically.
      {variables.length > 0 && ` Nothing is filled in for ${variables.slice(0, 6).join(", ")}: the model reads ${variables.length === 1 ? "it" : "them"} as written.`}
    </Text>
  );
}
