import { copyFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { createTestAuthority, testPassphrase } from "@/test/support/authority";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { publishChosen } from "@/test/support/publish";

const authority = createTestAuthority();
/** The server reads them only from here; the names are those of no authority that somebody keeps there. */
const files = { key: `test-${process.pid}.key`, certificate: `test-${process.pid}.crt` };
const inFolder = (name: string) => path.join("customizable/ca", name);
copyFileSync(authority.caPrivateKeyPath, inFolder(files.key));
copyFileSync(authority.caCertificatePath, inFolder(files.certificate));
afterAll(() => {
  for (const name of Object.values(files)) rmSync(inFolder(name), { force: true });
  authority.remove();
});

const { open, server } = withConsole({
  env: {
    CA_PRIVATE_KEY_FILENAME: files.key,
    CA_CERTIFICATE_FILENAME: files.certificate,
    CERTIFICATE_PASSPHRASE: testPassphrase,
    CERTIFICATE_COMMON_NAME: "policy.example.com",
  },
});

const stored = async (environment: string) => {
  const answer = await fetch(`${server().origin}/api/v1/module?environment=${environment}`);
  return (await answer.json()).data.module_configs[0];
};

it("a generated pair leaves unsaved fields alone; both are stored one after the other without a conflict", async () => {
  const { page, goto } = await open();
  await goto("/moduleconfig");
  // The server has made a first one when it started.
  const { certificate: first } = await stored("staging");
  const days = page.getByLabel("Days", { exact: true });
  const certificate = page.getByRole("textbox", { name: "Certificate" });
  const savePair = page.getByRole("button", { name: "Save key and certificate" });
  await days.fill("31");

  // Half a pair cannot be stored.
  await certificate.fill("-----BEGIN CERTIFICATE-----");
  await page.getByRole("alert").filter({ hasText: "Enter both the key and the certificate" }).waitFor();
  expect(await savePair.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("button", { name: "Generate key and certificate…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Generate", exact: true }).click();
  await expect.poll(() => certificate.inputValue()).toContain("END CERTIFICATE");
  expect(await days.inputValue()).toBe("31");
  expect((await stored("staging")).certificate).toBe(first);
  await expectNoViolations(page);

  // Whoever leaves is asked: the key would be lost.
  await page.getByRole("link", { name: "About", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click();

  await savePair.click();
  await page.getByText("Key and certificate saved to staging").waitFor();
  expect(await stored("staging")).toMatchObject({ exchange_after_x_days: 30 });
  const { certificate: pem } = await stored("staging");
  expect(pem).toContain("BEGIN CERTIFICATE");
  expect(pem).not.toBe(first);
  expect(await days.inputValue()).toBe("31");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved to staging", { exact: true }).waitFor();
  expect(await stored("staging")).toMatchObject({ exchange_after_x_days: 31, certificate: pem });
});

it("the stored pair is loaded on purpose, in production for reading only", async () => {
  const { page, goto } = await open();
  await goto("/moduleconfig");
  await page.getByRole("link", { name: "Publish to production" }).click();
  await publishChosen(page);
  await goto("/moduleconfig?environment=production");
  expect(await page.content()).not.toContain("PRIVATE KEY");
  await page.getByRole("button", { name: "Load stored key and certificate" }).click();
  const certificate = page.getByRole("textbox", { name: "Certificate" });
  await certificate.waitFor();
  expect(await certificate.inputValue()).toBe((await stored("production")).certificate);
  expect(await certificate.getAttribute("readonly")).not.toBeNull();
  await page.getByRole("button", { name: "Reveal private key" }).click();
  expect(await page.getByRole("textbox", { name: "Private key" }).inputValue()).toContain("PRIVATE KEY");
  await expectNoViolations(page);
});
