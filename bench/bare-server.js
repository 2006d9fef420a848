// The yardstick: node:http alone, which answers whatever it is asked with one response made in advance.
import { createServer } from 'node:http';

const [{ status, headers, body }, options] = process.argv.slice(2).map((argument) => JSON.parse(argument));

const server = createServer(options, (_request, response) => response.writeHead(status, headers).end(body));

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare server listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
