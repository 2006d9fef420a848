// An Express application that gives the same prepared response to each request. It reads the body of a POST as JSON.
import express from 'express';

const { status, headers, body } = JSON.parse(process.argv[2]);
const bytes = Buffer.from(body);
const names = headers.filter((_, index) => index % 2 === 0);
const fields = Object.fromEntries(names.map((name, index) => [name, headers[2 * index + 1]]));

const app = express();
// The mock sends neither header.
app.disable('etag');
app.disable('x-powered-by');
const router = express.Router();
const respond = (_request, response) => response.status(status).set(fields).send(bytes);
router.get('/pets', respond);
router.get('/pets/:petId', respond);
router.post('/pets', express.json(), respond);
app.use('/v1', router);

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`plain Express listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
