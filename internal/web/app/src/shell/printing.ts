import { putOnPaper } from "../parts/paper";

const scheme = () => document.documentElement.dataset;

/** printing switches to the light scheme and draws all rows while a page is printed: pale letters cannot be read on white paper. The returned function ends it. */
export function printing(): () => void {
  let shown: string | undefined;
  const before = () => {
    shown = scheme()["mantineColorScheme"];
    scheme()["mantineColorScheme"] = "light";
    putOnPaper(true);
  };
  const after = () => {
    if (shown !== undefined) scheme()["mantineColorScheme"] = shown;
    putOnPaper(false);
  };
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
  return () => {
    window.removeEventListener("beforeprint", before);
    window.removeEventListener("afterprint", after);
  };
}
