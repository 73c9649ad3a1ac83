/** Sends JSON. Rejects if there is no response. */
export function post(url: string, body: object, timeoutMs = 60_000): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** The text of a successful response. Throws for any other. */
export async function textOf(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** Sends JSON and returns `data` of a successful response. */
export async function send<T = unknown>(url: string, body: object): Promise<T> {
  return (JSON.parse(await textOf(post(url, body))) as { data: T }).data;
}

/** Returns `data` of a successful response. */
export async function getData<T>(url: string): Promise<T> {
  return (JSON.parse(await textOf(fetch(url))) as { data: T }).data;
}

export async function timed<T>(work: () => Promise<T>): Promise<[value: T, milliseconds: number]> {
  const start = performance.now();
  const value = await work();
  return [value, performance.now() - start];
}

/** A functional group with some RPCs, as the console saves it. */
export function groupBody(name: string, members: object = {}, rpcs: readonly string[] = ["Show"]) {
  const levels = [{ value: "FULL", selected: true }];
  return {
    ...{ name, is_default: false, ...members },
    rpcs: rpcs.map((rpc) => ({ name: rpc, selected: true, hmi_levels: levels, parameters: [] })),
  };
}

/** The id of a functional group in staging. */
export async function groupId(origin: string, name: string): Promise<number | undefined> {
  const url = `${origin}/api/v1/groups?environment=staging&search=${encodeURIComponent(name)}`;
  const { groups } = await getData<{ groups: { id: number; name: string }[] }>(url);
  return groups.find((group) => group.name === name)?.id;
}
