import { expect, test } from 'animal-store-mock/playwright';

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

test('shows that the service fails, and tries again', async ({ mock, page }) => {
  await mock.faults.add({ operation: 'listPets', status: 500, times: 1 });
  await page.goto('/');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByRole('listitem')).toHaveCount(20);
});
