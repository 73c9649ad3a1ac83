import { measureBeside } from "./beside";
import { measureChildKills } from "./child-kills";
import { measureDatabaseFlaps } from "./database-flaps";
import { measureFirstCar } from "./first-car";
import { measureFullDisks } from "./full-disks";
import { measureVehicleWorkerKills } from "./worker-kills";
import { measureMemory } from "./memory";
import { measureRollingRestart, measureShippedProxy } from "./rolling-restart";
import { measureSlowSenders } from "./slow-senders";
import { measureStarvedStarts } from "./starved-starts";
import { measureTwoVehicleWorkers } from "./two-workers";

/** What is done to a running server, by the name for `--only`; `docs/spec/processes.md` section 5 says why. */
export const rows = {
  beside: measureBeside,
  "first-car": measureFirstCar,
  memory: measureMemory,
  "database-flaps": measureDatabaseFlaps,
  "child-kills": measureChildKills,
  "worker-kills": measureVehicleWorkerKills,
  "full-disks": measureFullDisks,
  "rolling-restart": measureRollingRestart,
  "shipped-proxy": measureShippedProxy,
  "slow-senders": measureSlowSenders,
  "two-workers": measureTwoVehicleWorkers,
  "starved-starts": measureStarvedStarts,
} as const;
