import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

/** Port of the mock in its container. */
const PORT = 4010;

export interface MockContainer {
  readonly url: string;
  readonly container: StartedTestContainer;
}

/** Starts the mock from the image that `docker build -t animal-store .` makes in a clone. Close it with `container.stop()`. */
export async function startMockContainer(): Promise<MockContainer> {
  const container = await new GenericContainer('animal-store')
    // The port that Docker chooses is known only later, so the proxy of the image is left out.
    .withEnvironment({ ANIMAL_STORE_NO_CHECKED_PROXY: 'true', ANIMAL_STORE_PROFILE: 'edge-cases' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health', PORT))
    .start();
  return { url: `http://${container.getHost()}:${container.getMappedPort(PORT)}/v1`, container };
}
