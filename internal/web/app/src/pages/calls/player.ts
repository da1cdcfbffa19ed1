/** Side is a channel of a recording. */
export type Side = "caller" | "agent";

type Listener = () => void;

/** Rates are the playback rates. */
export const Rates = [0.75, 1, 1.25, 1.5, 2];

/**
 * Player holds the current place in a call and plays its recording from there. The recording is streamed: only what is played is decoded. Without a recording it can
 * seek but not play. time and length are in seconds since the answer.
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

  /** subscribe calls the listener at every change; while it plays, with each frame. */
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

  /** hasten changes to the next higher rate, or to the next lower one. */
  hasten(by: 1 | -1) {
    const next = Rates[Rates.indexOf(this.rate) + by];
    if (next !== undefined && this.playable) this.setRate(next);
  }

  /** again loads a recording that could not be played once more. */
  again = () => {
    if (!this.audio || !this.failed) return;
    this.failed = false;
    this.audio.load();
    this.audio.currentTime = this.at;
    this.audio.playbackRate = this.rate; // load() resets it
    this.tell();
  };

  /** mute silences one side. The channels are split only when somebody mutes one for the first time. */
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

  /** paused takes the place from the sound: in a background tab there were no frames to keep it up to date. */
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
    this.audio?.pause(); // otherwise a recording that breaks off counts as playing
    this.tell();
  };

  private tell() {
    for (const listener of this.listeners) listener();
  }

  /** close stops playing and releases everything. */
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
