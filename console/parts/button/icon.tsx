/** The paths of the icons, on a grid of 16 × 16, drawn as lines of 1.5. */
const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c.3-2.6 2-4 4.5-4s4.2 1.4 4.5 4M10.5 2.8a2.3 2.3 0 0 1 0 4.4M12 9.8c1.5.6 2.3 1.8 2.5 3.7',
  board: 'M2.5 2.5h3v11h-3zM6.5 2.5h3v7h-3zM10.5 2.5h3v9h-3z',
  building: 'M3.5 13.5v-11h6v11M9.5 6.5h3v7M1.5 13.5h13M5.5 5.5h2M5.5 8h2M5.5 10.5h2',
  upload: 'M8 10.5v-8M4.8 5.5 8 2.5l3.2 3M2.5 13.5h11',
  download: 'M8 2.5v8M4.8 7.5 8 10.5l3.2-3M2.5 13.5h11',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
  copies: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.3 1.5',
  gear: 'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6l3.4 3.4',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M3 8.5 6.5 12 13 4.5',
  plus: 'M8 3v10M3 8h10',
  down: 'M4 6.5 8 10.5l4-4',
  left: 'M9.5 4 5.5 8l4 4',
  right: 'M6.5 4l4 4-4 4',
  phone:
    'M3.5 2.5h2.5l1 3-1.5 1.2a8 8 0 0 0 3.8 3.8L10.5 9l3 1v2.5c0 .6-.4 1-1 1A10 10 0 0 1 2.5 3.5c0-.6.4-1 1-1z',
  mail: 'M2 3.5h12v9H2zM2.5 4.5 8 8.5l5.5-4',
  note: 'M3.5 2.5h9v8l-3 3h-6zM9.5 13.5v-3h3M5.5 5.5h5M5.5 8h3.5',
  pencil: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.5 4.3l2.2 2.2',
  grip: 'M6 4h.1M10 4h.1M6 8h.1M10 8h.1M6 12h.1M10 12h.1',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Draws an icon. It is hidden from screen readers, which read the text beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
