// Serves the page and the WAV files of the current folder on this machine: browsers let a page
// speak and listen on https:// and on 127.0.0.1 only.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const files = {
  '/': [here('index.html'), 'text/html; charset=utf-8'],
  '/agent.js': [here('agent.js'), 'text/javascript'],
  '/livekit-client.js': [here('node_modules/livekit-client/dist/livekit-client.esm.mjs'), 'text/javascript'],
  '/greeting.wav': ['greeting.wav', 'audio/wav'],
  '/answer.wav': ['answer.wav', 'audio/wav'],
};

const server = createServer(async (request, response) => {
  try {
    const [path, type] = files[new URL(request.url, 'http://x').pathname];
    response.writeHead(200, { 'Content-Type': type }).end(await readFile(path));
  } catch {
    response.writeHead(404).end('there is no such page\n');
  }
});
server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => {
  console.log(`open http://127.0.0.1:${server.address().port}/`);
});
