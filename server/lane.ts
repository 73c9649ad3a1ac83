/**
 * A lane: answers vehicles and probes from the compiled policy, and passes everything else on to the console (`processes.md`
 * N2, N3). Its arguments are its name and the console's socket.
 */
export {};
