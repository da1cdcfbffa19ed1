// A voice agent for a room, a page long: it joins with the address and the token that Ringtrue handed out,
// greets the caller, and answers with the one thing it knows whenever the caller has finished speaking.
import { Room, RoomEvent, Track } from './livekit-client.js';

const loud = 0.015; // a sample beyond this is speech
const pause = 700; // ms of silence: the caller has finished
const tries = 30; // at joining, a second apart
const patience = 2000; // ms until we speak to a caller of whom nobody says that it hears us

const form = document.forms[0];
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  form.querySelector('button').disabled = true;
  try {
    await attend(form.url.value, form.token.value);
    log('the call is over');
  } catch (error) {
    log(`could not join: ${error.message}`);
  }
  form.querySelector('button').disabled = false; // for the next room
});

// attend takes part in a call until it is over.
async function attend(url, token) {
  const audio = new AudioContext();
  const mouth = audio.createMediaStreamDestination(); // what goes in here is published
  const [greeting, answer] = await Promise.all(['greeting.wav', 'answer.wav'].map(async (file) =>
    audio.decodeAudioData(await (await fetch(file)).arrayBuffer())));
  const say = (line) => {
    const source = new AudioBufferSourceNode(audio, { buffer: line });
    source.connect(mouth);
    source.start();
  };

  let greeted = false;
  const greet = () => {
    if (!greeted) say(greeting);
    greeted = true;
  };

  const room = new Room({ singlePeerConnection: false });
  room.on(RoomEvent.TrackSubscribed, (track) => {
    setTimeout(greet, patience);
    document.body.append(track.attach()); // so that you hear the caller, too
    listen(audio, track.mediaStreamTrack, () => {
      log('the caller has finished speaking');
      say(answer);
    });
  });
  room.once(RoomEvent.LocalTrackSubscribed, greet); // the caller hears us from now on
  const over = () => room.disconnect();
  room.on(RoomEvent.ParticipantDisconnected, over);

  await join(room, url, token);
  const ended = new Promise((resolve) => room.once(RoomEvent.Disconnected, resolve)); // a try that failed ends by it, too
  try {
    await room.localParticipant.publishTrack(mouth.stream.getAudioTracks()[0], { source: Track.Source.Microphone });
    log('joined; waiting for the caller');
    await ended;
  } finally {
    over(); // also who could not speak stays in no room
  }
}

// join tries again for a while, because a service that is being started lets nobody in yet.
async function join(room, url, token) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await room.connect(url, token);
    } catch (error) {
      if (attempt === tries) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

// listen calls finished whenever the caller has spoken and then paused.
function listen(audio, track, finished) {
  const ear = new AnalyserNode(audio, { fftSize: 2048 });
  new MediaStreamAudioSourceNode(audio, { mediaStream: new MediaStream([track]) }).connect(ear);
  const pcm = new Float32Array(ear.fftSize);
  let timer;
  const look = setInterval(() => {
    ear.getFloatTimeDomainData(pcm);
    if (pcm.some((sample) => Math.abs(sample) > loud)) {
      clearTimeout(timer);
      timer = setTimeout(finished, pause);
    }
  }, 20);
  track.addEventListener('ended', () => clearInterval(look));
}

function log(line) {
  document.querySelector('#log').append(`${line}\n`);
}
