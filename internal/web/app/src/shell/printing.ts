import { putOnPaper } from "../parts/paper";

const scheme = () => document.documentElement.dataset;

/** printing has a page be light on paper, which is, and whole: the dark scheme's pale letters could not be read there. It ends with the function that it returns. */
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
