export function permissionPath(rpc: string, parameter: string | null = null): string {
  return `/rpcs/${[rpc, ...(parameter === null ? [] : [parameter])].map(encodeURIComponent).join("/")}`;
}

/** Under `GetVehicleData` if possible, otherwise the first RPC; null: it has no RPC. */
export function parameterPath(name: string, rpcs: readonly string[]): string | null {
  const rpc = rpcs.includes("GetVehicleData") ? "GetVehicleData" : rpcs[0];
  return rpc === undefined ? null : permissionPath(rpc, name);
}
