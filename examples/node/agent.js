// A voice agent for a room, a page long: it joins with the address and the token that Ringtrue handed out,
// greets the caller, and answers with the one thing it knows whenever the caller has finished speaking.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AudioFrame, AudioSource, AudioStream, LocalAudioTrack, Room, RoomEvent, TrackPublishOptions, TrackSource, dispose,
} from '@livekit/rtc-node';

const rate = 16000; // Hz, of the WAV files and of what we listen to
const loud = 500; // a sample beyond this is speech
const pause = 700; // ms of silence: the caller has finished
const tries = 30; // at joining, a second apart
const patience = 2000; // ms until we speak to a caller of whom nobody says that it hears us

const greeting = readWAV('greeting.wav');
const answer = readWAV('answer.wav');
let greeted = false;

const room = new Room();
const voice = new AudioSource(rate, 1, 60_000);

room.on(RoomEvent.TrackSubscribed, (track) => {
  setTimeout(greet, patience).unref();
  listen(track, () => {
    console.log('the caller has finished speaking');
    say(answer);
  });
});
room.once(RoomEvent.LocalTrackSubscribed, greet); // the caller hears us from now on
const callIsOver = new Promise((resolve) => {
  room.on(RoomEvent.ParticipantDisconnected, resolve);
  room.on(RoomEvent.Disconnected, resolve);
  process.once('SIGINT', resolve);
});

await join(process.env.ROOM_URL, process.env.ROOM_TOKEN);
const microphone = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
await room.localParticipant.publishTrack(LocalAudioTrack.createAudioTrack('voice', voice), microphone);
console.log('joined; waiting for the caller');

await callIsOver;
await room.disconnect();
await dispose();

// join tries again for a while, because a service that is being started lets nobody in yet.
async function join(url, token) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    } catch (error) {
      // What failed may be told with the address, which the token is a part of.
      if (attempt === tries) throw new Error(`the room cannot be joined: ${error.message.replaceAll(token, '…')}`);
    }
    await sleep(1000);
  }
}

// greet greets the caller, the first time that it is called.
function greet() {
  if (!greeted) say(greeting);
  greeted = true;
}

// say speaks a line; the source keeps the pace.
function say(pcm) {
  voice.captureFrame(new AudioFrame(pcm, rate, 1, pcm.length)).catch(console.error);
}

// listen calls finished whenever the caller has spoken and then paused.
async function listen(track, finished) {
  let timer;
  for await (const frame of new AudioStream(track, rate, 1)) {
    if (frame.data.some((sample) => Math.abs(sample) > loud)) {
      clearTimeout(timer);
      timer = setTimeout(finished, pause);
    }
  }
}

// readWAV returns the samples behind the head of a plain WAV file.
function readWAV(name) {
  const bytes = readFileSync(name).subarray(44);
  return new Int16Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 1);
}
