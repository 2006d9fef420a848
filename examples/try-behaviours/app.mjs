// Replace this module with the client of your app. The comments are what it assumes; nothing of that is specified.
const { ANIMAL_STORE_URL: base, ANIMAL_STORE_API_KEY: key } = process.env;
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

const PAGE = 20;

async function list(query) {
  const response = await fetch(`${base}/pets?${query}`, { headers });
  return { isError: !response.ok, animals: response.ok ? await response.json() : [] };
}

/** Assumes that a new animal has no status until somebody sets it. */
export async function add(name) {
  const body = JSON.stringify({ name, categoryId: 1 });
  const response = await fetch(`${base}/pets`, { method: 'POST', headers, body });
  const { id, status = 'new' } = await response.json();
  return { id, status };
}

/** Assumes that lists begin with the newest animal, and that they show it at once. */
export async function findLatest() {
  const { animals } = await list('limit=1');
  return animals[0]?.id;
}

/** Assumes that a page is full unless it is the last one. */
export async function hasMore() {
  const { animals } = await list(`limit=${PAGE}`);
  return animals.length === PAGE;
}

/** Assumes that the service refuses a status that it does not know. */
export async function isStatus(text) {
  const { isError } = await list(`limit=1&status=${encodeURIComponent(text)}`);
  return !isError;
}
