/** Side is a channel of a recording. */
export type Side = "caller" | "agent";

type Listener = () => void;

/** Rates are how fast a call can be heard. */
export const Rates = [0.75, 1, 1.25, 1.5, 2];

/**
 * Player is the place in a call, and the sound there when there is a recording. It streams: nothing is decoded that is not
 * played. Without sound it can be moved but not played. time and length are in seconds since the answer.
 */
export class Player {
  readonly length: number;
  private readonly audio: HTMLAudioElement | null;
  private at = 0;
  private moving = 0;
  private listeners = new Set<Listener>();
  private gains: Record<Side, GainNode> | null = null;
  private context: AudioContext | null = null;
  muted: Record<Side, boolean> = { caller: false, agent: false };
  rate = 1;
  /** failed says that the recording cannot be played. */
  failed = false;

  constructor(source: string | null, length: number, start: number) {
    this.length = length;
    this.at = Math.min(Math.max(start, 0), length);
    this.audio = source ? new Audio() : null;
    if (!this.audio || !source) return;
    this.audio.preload = "metadata";
    this.audio.src = source;
    this.audio.currentTime = this.at;
    this.audio.addEventListener("pause", this.paused);
    for (const event of ["play", "ended", "seeked", "waiting", "playing"]) this.audio.addEventListener(event, this.changed);
    this.audio.addEventListener("error", this.broken);
  }

  get time(): number {
    return this.audio && this.playing ? this.audio.currentTime : this.at;
  }

  get playing(): boolean {
    return this.audio !== null && !this.audio.paused && !this.audio.ended;
  }

  get playable(): boolean {
    return this.audio !== null && !this.failed;
  }

  /** subscribe hears of every change: on each frame while it plays. */
  subscribe = (listener: Listener) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  toggle = () => {
    if (!this.audio || this.failed) return;
    if (this.playing) {
      this.audio.pause();
      return;
    }
    if (this.at >= this.length - 0.05) this.seek(0);
    void this.context?.resume();
    this.audio.play().catch(() => this.changed());
  };

  seek = (seconds: number) => {
    this.at = Math.min(Math.max(seconds, 0), this.length);
    if (this.audio) this.audio.currentTime = this.at;
    this.tell();
  };

  setRate(rate: number) {
    this.rate = rate;
    if (this.audio) this.audio.playbackRate = rate;
    this.tell();
  }

  /** hasten goes to the next higher rate, or to the next lower one. */
  hasten(by: 1 | -1) {
    const next = Rates[Rates.indexOf(this.rate) + by];
    if (next !== undefined && this.playable) this.setRate(next);
  }

  /** again asks for a recording anew that could not be played. */
  again = () => {
    if (!this.audio || !this.failed) return;
    this.failed = false;
    this.audio.load();
    this.audio.currentTime = this.at;
    this.audio.playbackRate = this.rate; // loading forgets it
    this.tell();
  };

  /** mute silences one side. The channels are taken apart only when somebody asks for it first. */
  mute(side: Side, muted: boolean) {
    this.muted = { ...this.muted, [side]: muted };
    if (this.audio) {
      this.gains ??= this.split(this.audio);
      this.gains[side].gain.value = muted ? 0 : 1;
      void this.context?.resume();
    }
    this.tell();
  }

  private split(audio: HTMLAudioElement): Record<Side, GainNode> {
    const context = new AudioContext();
    this.context = context;
    const splitter = context.createChannelSplitter(2);
    const merger = context.createChannelMerger(2);
    context.createMediaElementSource(audio).connect(splitter);
    const gain = (channel: number) => {
      const node = context.createGain();
      splitter.connect(node, channel);
      node.connect(merger, 0, channel);
      return node;
    };
    merger.connect(context.destination);
    return { caller: gain(0), agent: gain(1) };
  }

  private changed = () => {
    if (this.audio) this.at = this.playing ? this.audio.currentTime : this.audio.ended ? this.length : this.at;
    cancelAnimationFrame(this.moving);
    if (this.playing) this.moving = requestAnimationFrame(this.frame);
    this.tell();
  };

  /** paused takes the place at which the sound stands: no frame has told of it while the page was out of sight. */
  private paused = () => {
    if (this.audio) this.at = Math.min(this.audio.currentTime, this.length);
    this.changed();
  };

  private frame = () => {
    if (!this.audio) return;
    this.at = Math.min(this.audio.currentTime, this.length);
    this.tell();
    if (this.playing) this.moving = requestAnimationFrame(this.frame);
  };

  private broken = () => {
    this.failed = true;
    this.audio?.pause(); // what breaks off in the middle counts as playing else
    this.tell();
  };

  private tell() {
    for (const listener of this.listeners) listener();
  }

  /** close stops and lets go of everything. */
  close() {
    cancelAnimationFrame(this.moving);
    this.listeners.clear();
    if (this.audio) {
      this.audio.removeEventListener("error", this.broken);
      this.audio.pause();
      this.audio.removeAttribute("src");
      this.audio.load();
    }
    void this.context?.close();
  }
}
