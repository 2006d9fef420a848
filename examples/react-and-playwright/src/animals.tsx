import { useCallback, useEffect, useState } from 'react';
import { client, type Pet } from './client';

/** The animals of the store, and a form that adds one. */
export function Animals() {
  const [animals, setAnimals] = useState<Pet[]>([]);
  const [problem, setProblem] = useState<string>();

  const load = useCallback(async (signal?: AbortSignal) => {
    const { data = [], error } = await client.GET('/pets', { signal });
    setAnimals(data);
    setProblem(error?.message);
  }, []);

  async function add(form: FormData) {
    const body = { name: String(form.get('name')), categoryId: 1 };
    const { error } = await client.POST('/pets', { body });
    if (error) setProblem(error.message);
    else await load();
  }

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    load(signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    return () => controller.abort();
  }, [load]);

  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      {problem && (
        <button type="button" onClick={() => load()}>
          Try again
        </button>
      )}
      <form action={add}>
        <input name="name" aria-label="Name" required />
        <button type="submit">Add</button>
      </form>
      <ul>
        {animals.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </>
  );
}
