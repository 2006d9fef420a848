// Renders its pages on the server, as Next.js and Remix do: it reads the animals from one base URL, whoever asks.
import { createServer } from 'node:http';

const { APP_PORT = '3000', ANIMAL_STORE_URL, ANIMAL_STORE_API_KEY } = process.env;

const escapeHtml = (text) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function askService(request, path, options = {}) {
  const headers = new Headers({ Authorization: `Bearer ${ANIMAL_STORE_API_KEY}`, ...options.headers });
  // Outside of tests, no request has this header.
  const session = request.headers['x-animal-store-session'];
  if (session !== undefined) headers.set('X-Animal-Store-Session', session);
  return fetch(`${ANIMAL_STORE_URL}${path}`, { ...options, headers });
}

async function renderPage(request) {
  const response = await askService(request, '/pets');
  const body = await response.json();
  const list = response.ok
    ? `<ul>${body.map(({ name }) => `<li>${escapeHtml(name)}</li>`).join('')}</ul>`
    : `<p role="alert">${escapeHtml(body.message)}</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Animals</title>
<form method="post">
<input name="name" aria-label="Name" required>
<button>Add</button>
</form>
${list}
</html>`;
}

async function addAnimal(request) {
  let form = '';
  for await (const chunk of request) form += chunk;
  const body = JSON.stringify({ name: new URLSearchParams(form).get('name'), categoryId: 1 });
  await askService(request, '/pets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
}

const server = createServer(async (request, response) => {
  if (request.url === '/health') return response.end('ok');
  if (request.method === 'POST') {
    await addAnimal(request);
    return response.writeHead(303, { Location: '/' }).end();
  }
  response.setHeader('Content-Type', 'text/html');
  response.end(await renderPage(request));
});
server.listen(Number(APP_PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
