/** The page of an RPC, or of one of its parameters. Safe in the browser. */
export function permissionPath(rpc: string, parameter: string | null = null): string {
  return `/rpcs/${[rpc, ...(parameter === null ? [] : [parameter])].map(encodeURIComponent).join("/")}`;
}

/** The page of a parameter that several RPCs have: that of the RPC which reads it, else the first; null: it has none. */
export function parameterPath(name: string, rpcs: readonly string[]): string | null {
  const rpc = rpcs.includes("GetVehicleData") ? "GetVehicleData" : rpcs[0];
  return rpc === undefined ? null : permissionPath(rpc, name);
}
