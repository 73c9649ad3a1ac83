import type { ExampleDirectory } from "@/example-directory/directory";

export async function callDirectory(
  { endpoint }: ExampleDirectory,
  path: string,
  init: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const response = await fetch(`${endpoint.baseUrl}/api/v2/${path}`, {
    ...init,
    headers: { public_key: endpoint.publicKey, secret_key: endpoint.secretKey, ...init.headers },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
