// A node:http server that gives the same prepared response to each request. It reads the body of a POST.
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(process.argv[2]);

const server = createServer((request, response) => {
  const respond = () => response.writeHead(status, headers).end(body);
  if (request.method !== 'POST') return respond();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => Buffer.concat(chunks).length > 0 && respond());
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare server listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
