// Not run yet: see cypress.config.ts.
beforeEach(() => {
  cy.task('resetMock');
});

it('shows the animals of the store, and adds one', () => {
  cy.task('addAnimal', { name: 'Rex', categoryId: 1 });
  cy.visit('/');
  cy.contains('li', 'Rex');
  cy.get('[name=name]').type('Tom');
  cy.contains('button', 'Add').click();
  cy.contains('li', 'Tom');
  cy.task<{ body: string }>('waitForRequest', { operation: 'createPet' }).then(({ body }) => {
    expect(JSON.parse(body)).to.include({ name: 'Tom' });
  });
});

it('shows that the service fails, and tries again', () => {
  cy.task('addFault', { operation: 'listPets', status: 500, times: 1 });
  cy.visit('/');
  cy.get('[role=alert]').should('be.visible');
  cy.contains('button', 'Try again').click();
  cy.get('li').should('have.length', 20);
});
