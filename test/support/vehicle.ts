import { readFileSync } from "node:fs";

const folder = new URL("../fixtures/policy-requests/", import.meta.url);

export function sampleRequest(name: "1-app" | "10-apps" | "10-apps-reduced" | "50-apps"): string {
  return readFileSync(new URL(`policy-request-${name}.json`, folder), "utf8");
}

export async function requestTable(
  origin: string,
  { environment = "production", body = sampleRequest("1-app") }: { environment?: string; body?: string } = {},
): Promise<{ status: number; table: any; body: any }> {
  const response = await fetch(`${origin}/api/v1/${environment}/policy`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const answer = await response.json();
  return { status: response.status, body: answer, table: answer.data?.[0]?.policy_table };
}

/** Repeats an attempt until it returns something; only the test's timeout limits it. */
export async function eventually<T>(attempt: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
