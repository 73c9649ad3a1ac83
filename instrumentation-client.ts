/** Next calls it at the beginning of every step to another address: the page in view gives way to the shape of the next. */
export { announceStep as onRouterTransitionStart } from "@/app/_components/shell/navigation/page-in-view";
