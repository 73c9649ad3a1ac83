export interface ChosenApp {
  readonly uuid: string;
  /** The uuid where no stored app has it. */
  readonly name: string;
}
