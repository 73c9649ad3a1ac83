/** The page of an RPC, or of one of its parameters. Safe in the browser. */
export function permissionPath(rpc: string, parameter: string | null = null): string {
  return `/rpcs/${[rpc, ...(parameter === null ? [] : [parameter])].map(encodeURIComponent).join("/")}`;
}

/** The page of a parameter of several RPCs: under `GetVehicleData` if possible, otherwise the first; null: it has no RPC. */
export function parameterPath(name: string, rpcs: readonly string[]): string | null {
  const rpc = rpcs.includes("GetVehicleData") ? "GetVehicleData" : rpcs[0];
  return rpc === undefined ? null : permissionPath(rpc, name);
}
