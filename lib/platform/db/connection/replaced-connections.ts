"one per process";

// In its own file, so that reading the count does not load the driver.
let times = 0;

export function replacedConnections(): number {
  return times;
}

export function countReplacedConnection(): number {
  times += 1;
  return times;
}
