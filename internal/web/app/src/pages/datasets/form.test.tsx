import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { describe, expect, it } from "vitest";
import type { Bag, Fault } from "./draft";
import { DraftContext } from "./field";
import { TextField } from "./fields";
import { ItemForm } from "./form";
import { freshCase } from "./stepkinds";
import { StepsField } from "./steps";

let written: Bag;

function Form({ begin, faults = [], children }: { begin: Bag; faults?: Fault[]; children: ReactNode }) {
  const [item, change] = useState(begin);
  written = item;
  return (
    <MantineProvider env="test">
      <DraftContext value={{ item, change, faults, readOnly: false }}>
        {children}
      </DraftContext>
    </MantineProvider>
  );
}

const steps = <StepsField place={["input", "script"]} label="Script" />;

const scripted = (): Bag => ({ input: { script: [{ wait_for_agent: {} }, { say: "one" }, "hang_up"] } });

describe("the form of an item", () => {
  it("writes lines, and moves, doubles and removes steps", () => {
    render(<Form begin={scripted()}>{steps}</Form>);
    fireEvent.change(screen.getByLabelText("Line of step 2"), { target: { value: "two" } });
    fireEvent.click(screen.getByLabelText("Move step 2 up"));
    expect(written).toEqual({ input: { script: [{ say: "two" }, { wait_for_agent: {} }, "hang_up"] } });
    fireEvent.keyDown(screen.getByLabelText("Line of step 1"), { key: "ArrowDown", altKey: true });
    fireEvent.click(screen.getByLabelText("Duplicate step 2"));
    fireEvent.click(screen.getByLabelText("Remove step 1"));
    expect(written).toEqual({ input: { script: [{ say: "two" }, { say: "two" }, "hang_up"] } });
  });
  it.each(["Line", "Button"])("goes along with a step that is moved, so that it can be moved on: %s", async (what) => {
    render(<Form begin={{ input: { script: [{ say: "one" }, { say: "two" }, { say: "three" }] } }}>{steps}</Form>);
    const [line, button] = [(n: number) => screen.getByLabelText(`Line of step ${n}`), (n: number) => screen.getByLabelText(`Move step ${n} down`)];
    const part = what === "Line" ? line : button;
    part(1).focus();
    for (const to of [2, 3]) {
      const focused = document.activeElement as HTMLElement;
      if (what === "Line") fireEvent.keyDown(focused, { key: "ArrowDown", altKey: true });
      else fireEvent.click(focused);
      await waitFor(() => expect(document.activeElement?.closest("[role=listitem]")).toBe(screen.getAllByRole("listitem")[to - 1]));
    }
    expect(written).toEqual({ input: { script: [{ say: "two" }, { say: "three" }, { say: "one" }] } });
  });
  it("shows each tool its own arguments when one before it is removed, and what is typed while it cannot be read", () => {
    render(<Form begin={{ output: { tool_calls: [{ name: "a", arguments: { x: 1 } }, { name: "b", arguments: { y: 2 } }] } }}><ItemForm /></Form>);
    const field = (n: number) => screen.getByLabelText<HTMLTextAreaElement>(`Arguments of tool ${n}`);
    fireEvent.change(field(1), { target: { value: '{"x": 3' } });
    expect(field(1).value).toBe('{"x": 3');
    fireEvent.change(field(1), { target: { value: '{"x": 3 }' } });
    expect(field(1).value).toBe('{"x": 3 }');
    fireEvent.click(screen.getByLabelText("Remove tool 1"));
    expect(field(1).value).toBe('{"y":2}');
  });
  const three = ["a", "b", "c"];
  const branch = { branch: { cases: [freshCase(), freshCase()] } };
  it.each<[string, Bag, string[], string]>([
    ["phrase", { output: { say: three } }, ["Remove It must say 2", "Remove It must say 2", "Remove It must say 1"], "Add phrase"],
    ["fact", { input: { facts: { a: "1", b: "2", c: "3" } } }, ["Remove b", "Remove c", "Remove a"], "Add fact"],
    ["tool", { output: { tool_calls: three.map((name) => ({ name })) } }, ["Remove tool 2", "Remove tool 2", "Remove tool 1"], "Add tool"],
    ["step", { input: { script: [{ say: "a" }, branch, { say: "c" }] } }, ["Remove step 3", "Remove step 2", "Remove step 1"], "Say"],
    ["case", { input: { script: [branch] } }, ["Remove case 2 of step 1", "Remove case 1 of step 1"], "Add case"],
  ])("leaves the focus beside what is removed, so that the next can be removed: %s", async (_, begin, removed, add) => {
    render(<Form begin={begin}><ItemForm /></Form>);
    screen.getByLabelText(removed[0] ?? "").focus();
    for (const n of removed.keys()) {
      const focused = document.activeElement as HTMLElement;
      expect(focused.getAttribute("aria-label")).toBe(removed[n]);
      fireEvent.click(focused);
      await waitFor(() => expect(document.activeElement).not.toBe(document.body));
    }
    expect(document.activeElement?.textContent).toBe(add);
  });
  it("shows a fact by the name that it has when another one has the name that was written", () => {
    render(<Form begin={{ input: { facts: { a: "1", b: "2" } } }}><ItemForm /></Form>);
    const name = screen.getAllByLabelText<HTMLInputElement>("Name of fact 2")[0] as HTMLInputElement;
    fireEvent.change(name, { target: { value: "a" } });
    fireEvent.blur(name);
    expect([name.value, written]).toEqual(["b", { input: { facts: { a: "1", b: "2" } } }]);
  });
  it("adds no phrase at the Enter that ends the choice of a character", () => {
    render(<Form begin={{ output: { say: ["に"] } }}><ItemForm /></Form>);
    fireEvent.keyDown(screen.getByLabelText("It must say 1"), { key: "Enter", isComposing: true });
    expect(written).toEqual({ output: { say: ["に"] } });
    fireEvent.keyDown(screen.getByLabelText("It must say 1"), { key: "Enter" });
    expect(written).toEqual({ output: { say: ["に", ""] } });
  });
  it("keeps a step of silence while another length of it is typed", () => {
    render(<Form begin={{ input: { script: [{ stay_silent_ms: 2000 }] } }}>{steps}</Form>);
    const field = () => screen.getByLabelText<HTMLInputElement>("Silence of step 1");
    fireEvent.change(field(), { target: { value: "" } });
    expect([field().value, written]).toEqual(["", { input: { script: [{ stay_silent_ms: "" }] } }]);
    fireEvent.change(field(), { target: { value: "500" } });
    expect(written).toEqual({ input: { script: [{ stay_silent_ms: 500 }] } });
  });
  it("shows what is wrong beside its field", () => {
    render(<Form begin={scripted()} faults={[{ place: "input.script[1].say", message: "is too long", line: 3 }, { place: "input.script", message: "has no end", line: 1 }]}>{steps}</Form>);
    expect(screen.getByText("is too long")).toBeTruthy();
    expect(screen.getByText("has no end")).toBeTruthy();
  });
  it("bears JSON of any shape", () => {
    render(<Form begin={{ input: { script: "x", persona: 3, facts: ["a"] }, output: { say: { a: 1 }, tool_calls: [null, 4] } }}><ItemForm /></Form>);
    fireEvent.change(screen.getByLabelText("Key"), { target: { value: "k" } });
    expect(written["key"]).toBe("k");
  });
  it("takes a key away with its last letter", () => {
    render(<Form begin={{ input: { goal: "x", persona: { name: "A" } } }}><TextField place={["input", "persona", "name"]} label="Name" /></Form>);
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: "" } });
    expect(written).toEqual({ input: { goal: "x" } });
  });
});
