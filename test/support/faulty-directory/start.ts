import {
  type ExampleDirectory,
  type ExampleDirectoryOptions,
  startExampleDirectory,
} from "@/example-directory/directory";
import { deliverFault } from "@/test/support/faulty-directory/delivery";
import { ExampleFaults } from "@/test/support/faulty-directory/faults";
import { ReceivedCalls } from "@/test/support/faulty-directory/received";

/** An example directory that can misbehave, and keeps what it was asked. */
export interface FaultyDirectory extends ExampleDirectory {
  readonly faults: ExampleFaults;
  readonly received: ReceivedCalls;
}

/** @param keepReceived how many requests `received` keeps */
export async function startFaultyDirectory({
  keepReceived = 1_000,
  ...options
}: Omit<ExampleDirectoryOptions, "deliver"> & { readonly keepReceived?: number } = {}): Promise<FaultyDirectory> {
  const faults = new ExampleFaults();
  const received = new ReceivedCalls(keepReceived);
  const directory = await startExampleDirectory({
    ...options,
    deliver: (delivery, send) => {
      received.add(delivery.call, delivery.request);
      const fault = faults.take(delivery.call);
      return fault === null ? send() : deliverFault(fault, delivery, faults);
    },
  });
  return {
    ...directory,
    faults,
    received,
    close: async () => {
      const closed = directory.close();
      faults.release("drop");
      await closed;
    },
  };
}
