import "@/lib/gate/gate";
import { adoptUnreleased } from "@/lib/content/releases/adopt";
import { authorOf } from "@/lib/content/releases/record-release";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";

/** Stores one item of custom vehicle data with something inside, already promoted: nothing waits because of it. */
export async function fillExampleItem(context: WriteContext): Promise<void> {
  await inTransaction(context, async (tx) => {
    const [root = 0, level = 0, program = 0] = await tx.nextIds("custom_vehicle_data", 3);
    const nodes = [
      { id: root, parentId: null, name: "seatMassage", key: "OEM_SEAT_MASSAGE", type: "Struct" },
      { id: level, parentId: root, name: "level", key: "OEM_LEVEL", type: "Integer", minValue: 0, maxValue: 5 },
      { id: program, parentId: root, name: "program", key: "OEM_PROGRAM", type: "String", maxLength: 40 },
    ];
    const item = { _id: root, name: "seatMassage", status: "PRODUCTION" as const, nodes };
    await CustomVehicleDataModel.insertMany([item], { session: tx.session });
    await adoptUnreleased(tx, authorOf(tx.writer));
  });
}
