// Not run yet, since Cypress downloads a program of its own; its types are checked. npm install && npm test
import { type AnimalInput, type FaultOptions, type RequestFilter, startMock } from 'animal-store-mock';
import { defineConfig } from 'cypress';

export default defineConfig({
  e2e: {
    // Your app, whose base URL of the service is http://127.0.0.1:4010/v1.
    baseUrl: 'http://127.0.0.1:5173',
    supportFile: false,
    async setupNodeEvents(on) {
      const mock = await startMock({ port: 4010, log: 'silent' });
      on('after:run', () => mock.close());
      // A task has to return something: null is nothing. Ids are bigints, which do not go through.
      on('task', {
        resetMock: () => {
          mock.reset();
          return null;
        },
        addAnimal: (animal: AnimalInput) => {
          mock.animals.add(animal);
          return null;
        },
        addFault: (fault: FaultOptions) => mock.faults.add(fault),
        waitForRequest: (filter: RequestFilter) => mock.waitForRequest(filter),
      });
    },
  },
});
