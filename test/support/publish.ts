import type { Page } from "playwright-core";

export async function publishChosen(page: Page, word?: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Review changes" }).waitFor();
  await page.getByRole("button", { name: /^Publish \d+ changes?$/ }).click();
  const dialog = page.getByRole("alertdialog");
  if (word !== undefined) await dialog.getByLabel(`Type ${word} to go on`).fill(word);
  await dialog.getByRole("button", { name: /^Publish \d+ changes?$/ }).click();
  await page.getByText(/^Published \d+ changes? as release #\d+$/).waitFor();
}
