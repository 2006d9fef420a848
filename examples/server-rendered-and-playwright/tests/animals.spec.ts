import { expect, test } from 'animal-store-mock/playwright';

// The tests of this file run at the same time. Without sessions, each would see the animals and the faults of the others.
for (const name of ['Rex', 'Tom']) {
  test(`shows ${name}, and adds Kit`, async ({ mock, page }) => {
    await mock.animals.replace([{ name, categoryId: 1 }]);
    await page.goto('/');
    await expect(page.getByRole('listitem')).toHaveText([name]);
    await page.getByLabel('Name').fill('Kit');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByRole('listitem')).toHaveText(['Kit', name]);
    const { body = '' } = await mock.waitForRequest({ operation: 'createPet' });
    expect(JSON.parse(body)).toEqual({ name: 'Kit', categoryId: 1 });
  });
}

test('shows that the service fails', async ({ mock, page }) => {
  await mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
  await page.goto('/');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveCount(20);
});
