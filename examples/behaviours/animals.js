// A client with six assumptions about what the specification leaves unspecified.
const { ANIMAL_STORE_URL: base, ANIMAL_STORE_API_KEY: key } = process.env;

async function call(path, body) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(base + path, { headers, ...options });
  // Content-Type has no charset.
  if (response.headers.get('Content-Type') !== 'application/json')
    throw new Error('The response is not JSON.');
  // Ids fit into a number.
  return response.json();
}

export const addAnimal = (name) => call('/pets', { name, categoryId: 1 });

// Lists have the newest animal first, and show it at once.
export async function findLatest() {
  const [latest] = await call('/pets?limit=1');
  return latest;
}

// An animal that was added without a status has none.
export const isDraft = ({ status }) => status === undefined;

export async function findAnimal(id) {
  const animal = await call(`/pets/${id}`);
  // The code of the Error is in snake case.
  return animal.code === 'not_found' ? undefined : animal;
}
