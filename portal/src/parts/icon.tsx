/** Small line drawings. They stand beside words, so screen readers skip them. */

const paths = {
  overview: 'M3 12 12 4l9 8M5 10v10h5v-6h4v6h5V10',
  attention: 'M12 4 2.5 20h19ZM12 10v5M12 17.5v.5',
  track: 'M12 5v14M5 12h14',
  shipments: 'M3 16l2 4h14l2-4-9-3-9 3ZM6 14V8h12v6M12 8V4',
  containers: 'M3 7h18v10H3zM7 7v10M11 7v10M15 7v10M19 7v10',
  fleet: 'M9 4 3 6v14l6-2 6 2 6-2V4l-6 2-6-2ZM9 4v14M15 6v14',
  charges: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2.5',
  documents: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  developers: 'M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  operate: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21c1-5 4-7 8-7s7 2 8 7',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l5 5',
  menu: 'M3 6h18M3 12h18M3 18h18',
  theme: 'M12 3v18M12 3a9 9 0 1 0 0 18M12 8h5M12 13h7M12 18h4',
  close: 'M5 5l14 14M19 5 5 19',
  to: 'M4 12h15M13 6l6 6-6 6',
  said: 'M4 5h16v11H10l-5 4v-4H4Z',
  up: 'M12 20V5M6 11l6-6 6 6',
  down: 'M12 4v15M6 13l6 6 6-6',
  tick: 'M4 13l5 5L20 7',
  back: 'M20 12H5M11 6l-6 6 6 6',
} as const
export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
