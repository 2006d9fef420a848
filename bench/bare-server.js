// The yardstick: node:http alone, which answers whatever it is asked with one response made in advance; it reads the body of a POST.
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(process.argv[2]);

const server = createServer((request, response) => {
  const answer = () => response.writeHead(status, headers).end(body);
  if (request.method !== 'POST') return answer();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => Buffer.concat(chunks).length > 0 && answer());
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare server listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
