/** Next calls it at the beginning of every step to another address. */
export { announceStep as onRouterTransitionStart } from "@/app/_components/shell/navigation/page-in-view";
