import { beforeEach, expect, it, vi } from "vitest";
import { Player } from "./player";

/** Sound is an audio element whose sound goes on as the test says. */
class Sound extends EventTarget {
  static last: Sound;
  currentTime = 0;
  paused = true;
  ended = false;
  constructor() {
    super();
    Sound.last = this;
  }
  play() {
    this.paused = false;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  }
  pause() {
    this.paused = true;
    this.dispatchEvent(new Event("pause"));
  }
}

beforeEach(() => {
  vi.stubGlobal("Audio", Sound);
  vi.stubGlobal("requestAnimationFrame", () => 0); // a page that is out of sight has no frames
});

it("stands where the sound does when it was stopped while the page was out of sight", () => {
  const player = new Player("call.wav", 3600, 10);
  player.toggle();
  Sound.last.currentTime = 1200;
  Sound.last.pause();
  expect(player.time).toBe(1200);
  player.seek(player.time + 5);
  expect(Sound.last.currentTime).toBe(1205);
});
