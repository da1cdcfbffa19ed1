/** View is the part of a call that is on the screen, in seconds. */
export interface View {
  from: number;
  span: number;
}

/** Closest is the shortest stretch that can be looked at, in seconds. */
const Closest = 2;

/** within keeps a view inside the call. */
export function within(view: View, length: number): View {
  const span = Math.min(Math.max(view.span, Math.min(Closest, length)), length);
  return { span, from: Math.min(Math.max(view.from, 0), length - span) };
}

/** zoomed is the view zoomed by a factor, with the time at in the same place on the screen. */
export function zoomed(view: View, factor: number, at: number, length: number): View {
  const span = Math.min(Math.max(view.span / factor, Math.min(Closest, length)), length);
  const share = (at - view.from) / view.span;
  return within({ span, from: at - share * span }, length);
}

/** following is the view that shows the time: the same, or the next page when the time has left it. */
export function following(view: View, time: number, length: number): View {
  if (time >= view.from && time <= view.from + view.span * 0.96) return view;
  return within({ ...view, from: time - view.span * 0.06 }, length);
}

/** tick is the distance between marks of the time axis, in seconds, that leaves room for their labels. */
export function tick(span: number, width: number): number {
  const least = (span * 72) / Math.max(width, 1);
  return [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].find((step) => step >= least) ?? 7200;
}

/** Tile is the part of a recording for which one outline is fetched: the place-th of 2^level equal parts. */
export interface Tile {
  level: number;
  place: number;
}

/** tilesOf are the tiles that cover a view with at least one peak per pixel. */
export function tilesOf(view: View, length: number, pixels: number, peaks: number): Tile[] {
  const wanted = (length / view.span) * (pixels / peaks);
  const level = Math.min(Math.max(Math.ceil(Math.log2(Math.max(wanted, 1))), 0), 12);
  const size = length / 2 ** level;
  const [first, last] = [Math.floor(view.from / size), Math.min(Math.floor((view.from + view.span) / size), 2 ** level - 1)];
  return Array.from({ length: last - first + 1 }, (_, i) => ({ level, place: first + i }));
}
