/** Icons: one stroke each in a 24 px square, in the colour of the text beside them. */
const drawings = {
  arrow: 'M5 12h13M13 7l5 5-5 5',
  book: 'M12 6.5C10 5 7.5 4.7 4 5v13c3.5-.3 6 0 8 1.5 2-1.5 4.5-1.8 8-1.5V5c-3.5-.3-6 0-8 1.5ZM12 6.5V19.5',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  calendar: 'M4.5 6h15v13.5h-15zM4.5 10.5h15M8.5 3.5V7M15.5 3.5V7',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  circle: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Z',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.3l2.8 1.7',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5.5 15H5V4h10v1.5',
  dash: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM8.5 12h7',
  delete: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.3 10.5v5.5M13.7 10.5v5.5',
  down: 'm6 9 6 6 6-6',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14',
  edit: 'M4 20l1-4.2L16.2 4.6a1.6 1.6 0 0 1 2.3 0l.9.9a1.6 1.6 0 0 1 0 2.3L8.2 19 4 20ZM14 7l3 3',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12ZM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4Z',
  'eye-off': 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12ZM4 4l16 16',
  file: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4',
  filter: 'M4 6h16M7 12h10M10 18h4',
  flag: 'M6 20V5h11l-2 4 2 4H6',
  fullscreen: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  help: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9.7 9.8a2.4 2.4 0 1 1 3.4 2.2c-.8.4-1.1.8-1.1 1.7M12 16.3v.1',
  home: 'M4 11.5 12 5l8 6.5M6.5 10v9h11v-9',
  info: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 11v5M12 8v.1',
  left: 'm15 6-6 6 6 6',
  list: 'M4 5h16v5H4zM4 14h16v5H4z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  logout: 'M14 4.5H5v15h9M10 12h10M16.5 8.5 20 12l-3.5 3.5',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  medal: 'M12 10.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM9.5 11 6.5 4M14.5 11l3-7M10.5 8 9 4M13.5 8 15 4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  ok: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM8.6 12.2l2.4 2.4 4.4-4.8',
  phone:
    'M6 4h4l1.5 4.5L9 10c1 2.2 2.8 4 5 5l1.5-2.5L20 14v4c0 1.2-.8 2-2 2C10.8 20 4 13.2 4 6c0-1.2.8-2 2-2Z',
  picture: 'M4 5h16v14H4zM4 16l4.5-4.5 3.5 3.5 3-3L20 17M9 8.5a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 8V4h10v4M7 16H4V8.5h16V16h-3M7 13.5h10V20H7z',
  right: 'm9 6 6 6-6 6',
  rotate: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  rupee: 'M7 5h10M7 9h10M7 5h3.5a4 4 0 0 1 0 8H7l6.5 6.5',
  school: 'M3 10 12 5l9 5M5 10.5V19h14v-8.5M10 19v-5h4v5',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16.2 16.2 20.5 20.5',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM12 3.5v2.5M12 18v2.5M3.5 12H6M18 12h2.5M6 6l1.8 1.8M16.2 16.2 18 18M18 6l-1.8 1.8M7.8 16.2 6 18',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M7 11H5v9h14v-9h-2',
  sorts: 'm8 10 4-4 4 4M8 14l4 4 4-4',
  struck: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM6.5 17.5l11-11',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9',
  ticket: 'M4 7h16v3.5a1.8 1.8 0 0 0 0 3.5V17H4v-3a1.8 1.8 0 0 0 0-3.5ZM14 7.5v9',
  truck: 'M3 6h11v11H3zM14 10h4l3 3.5V17h-7M7 17a2 2 0 1 0 0 .1M17.5 17a2 2 0 1 0 0 .1',
  undo: 'M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4',
  up: 'm6 15 6-6 6 6',
  upload: 'M12 15.5V4.5M7.5 8.5 12 4l4.5 4.5M5 19.5h14',
  users:
    'M9 11.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM3.5 19c.4-3 2.7-4.7 5.5-4.7s5.1 1.7 5.5 4.7M15.5 5.4a3 3 0 0 1 0 5.8M17 14.6c2 .6 3.2 2.2 3.5 4.4',
  warning: 'M12 4.5 21 19.5H3ZM12 10v4.2M12 16.8v.1',
  'zoom-in': 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16.2 16.2 20.5 20.5M8 11h6M11 8v6',
  'zoom-out': 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16.2 16.2 20.5 20.5M8 11h6',
} as const

export type IconName = keyof typeof drawings

/** An icon beside text; it has no name of its own, so a button with only an icon needs `label` (see IconButton). */
export function Icon({ name, small }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? 'i s' : 'i'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}
