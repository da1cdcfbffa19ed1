import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { keptInFocus } from "../parts/loading";

// The green of a handset's answer key. Shade 7 carries white text at more than 4.5:1.
const ring: MantineColorsTuple = [
  "#e3f7f3", "#cdebe5", "#a0d7cc", "#6fc2b1", "#47b09b", "#2da48c", "#1b9a81", "#0c7a6b", "#05685b", "#00554a",
];

// The greys of the dark scheme, from text to the ground, a little blue as its surfaces are.
const dark: MantineColorsTuple = [
  "#d5dae0", "#b9c1c9", "#8b949d", "#69727b", "#3d454e", "#343b43", "#262c33", "#1c2025", "#171b20", "#12151a",
];

/** Tones map the colours of a notice to what they mean here. */
const Tones: Record<string, string> = { red: "failed", yellow: "void", blue: "running", gray: "open" };

export const theme = createTheme({
  primaryColor: "ring",
  primaryShade: { light: 7, dark: 7 },
  colors: { ring, dark },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: { sizes: { h1: { fontSize: "1.25rem" }, h2: { fontSize: "1.0625rem" }, h3: { fontSize: "0.9375rem" } }, fontWeight: "600" },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // A menu is rendered beside its button, so that it lies within a landmark. Its first entry takes the focus, not Mantine's placeholder, which is no entry. Names in
    // it, as in titles of dialogs, may be one long word: it is broken to fit a phone.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false }, styles: { dropdown: { maxWidth: "min(26rem, calc(100vw - 1rem))", overflowWrap: "anywhere" } } },
    // Mantine renders the header of a dialog as a landmark, which it is not, and its close button without a name.
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" }, attributes: { header: { role: "presentation" } } }, styles: { title: { fontWeight: 600, overflowWrap: "anywhere", minWidth: 0 } } },
    // Mantine's own backgrounds glare in the dark scheme. An id in a notice is broken, not cut off.
    Alert: { styles: { root: { overflowWrap: "anywhere" } }, vars: (_: unknown, { color }: { color?: string }) => (color && Tones[color] ? { root: { "--alert-bg": `var(--rt-${Tones[color]}-soft)` } } : { root: {} }) },
    // With descriptions below their fields, the fields of a row line up.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
    Button: { defaultProps: { size: "sm", renderRoot: keptInFocus } },
    ActionIcon: { defaultProps: { variant: "subtle", renderRoot: keptInFocus } },
    TextInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm" } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: "sm" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
});

/** variables are the colours by meaning. In both schemes those of text have enough contrast for small text, and those of edges enough to show where a field is. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5c636a",
    "--mantine-color-placeholder": "#6c737a",
    "--mantine-color-error": "#c02020",
    "--rt-surface": "#ffffff", "--rt-sunken": "#f6f7f8", "--rt-line": "#e1e4e8",
    "--rt-passed": "#1f7a34", "--rt-failed": "#c02020", "--rt-void": "#7a5a00", "--rt-open": "#5c636a", "--rt-running": "#1864ab",
    "--rt-caller": "#1864ab", "--rt-agent": "#0c7a6b", "--rt-warn": "#9a5b00", "--rt-link": "#0b6b5e",
    "--rt-passed-soft": "#e6f4e9", "--rt-failed-soft": "#fdecec", "--rt-void-soft": "#fbf3dc", "--rt-open-soft": "#eef0f2", "--rt-running-soft": "#e7f1fb",
    "--rt-caller-soft": "#e7f1fb", "--rt-agent-soft": "#e0f4f0", "--rt-band": "#7f8790", "--rt-edge": "#7f8790",
  },
  dark: {
    "--mantine-color-body": "#16191d",
    "--mantine-color-dimmed": "#a3abb3",
    "--mantine-color-placeholder": "#8b939b",
    "--mantine-color-error": "#ff8787",
    "--rt-surface": "#1c2025", "--rt-sunken": "#12151a", "--rt-line": "#32383f",
    "--rt-passed": "#69db7c", "--rt-failed": "#ff8787", "--rt-void": "#ffd43b", "--rt-open": "#a3abb3", "--rt-running": "#74c0fc",
    "--rt-caller": "#74c0fc", "--rt-agent": "#63d8c2", "--rt-warn": "#ffb454", "--rt-link": "#63d8c2",
    "--rt-passed-soft": "#14301b", "--rt-failed-soft": "#3a1a1d", "--rt-void-soft": "#352a0c", "--rt-open-soft": "#282d33", "--rt-running-soft": "#152b40",
    "--rt-caller-soft": "#152b40", "--rt-agent-soft": "#0f302b", "--rt-band": "#6f7881", "--rt-edge": "#6f7881",
  },
});
