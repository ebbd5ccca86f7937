const shapes = {
  close: ["M4 4l8 8M12 4l-8 8"],
  help: ["M8 14.5a6.5 6.5 0 100-13 6.5 6.5 0 000 13z",
    "M6 6.2c.2-1.2 1-1.9 2.1-1.9 1.2 0 2 .8 2 1.8 0 1.5-2.1 1.6-2.1 3.1", "M8 11.4v.2"],
  keys: ["M1.5 4h13v8h-13z", "M4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M4 9.5h.01M12 9.5h.01", "M6.5 9.5h3"],
  settings: ["M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7", "M10.5 6a1.5 1.5 0 100-3 1.5 1.5 0 000 3z",
    "M5.5 13a1.5 1.5 0 100-3 1.5 1.5 0 000 3z"],
  theme: ["M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13z", "M8 1.5v13", "M8 4.2h4.8M8 7h6.2M8 9.8h5.8M8 12.4h4"],
  columns: ["M2 3h12v10H2z", "M6 3v10M10 3v10"],
  hosts: ["M3 2v11h3M3 6h3", "M8 4.5h6v3H8zM8 11h6v3H8z"],
  follow: ["M8 2v9M4.5 7.5L8 11l3.5-3.5", "M3 14h10"],
  star: ["M8 1.8l1.9 4 4.3.6-3.1 3 .7 4.3L8 11.7l-3.8 2 .7-4.3-3.1-3 4.3-.6z"],
  comment: ["M2 3h12v8H7l-3 2.5V11H2z"],
  copy: ["M5 5h8.5v8.5H5z", "M11 5V2.5H2.5V11H5"],
  download: ["M8 2v8M4.8 7L8 10.2 11.2 7", "M2.5 13.5h11"],
  diff: ["M3 2.5h4v11H3zM9 2.5h4v11H9z", "M4.5 5.5h1M4.5 8h1M10.5 8h1M10.5 10.5h1"],
  record: ["M8 13a5 5 0 100-10 5 5 0 000 10z"],
  end: ["M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2z", "M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4"],
  pause: ["M5.5 3.5v9M10.5 3.5v9"],
  slow: ["M4 2h8M4 14h8", "M5 2v2.5L8 8l3-3.5V2M5 14v-2.5L8 8l3 3.5V14"],
  filter: ["M2 3h12l-4.7 5.5V13l-2.6 1V8.5z"],
  back: ["M9.5 3L4.5 8l5 5"],
  more: ["M3.5 8h.01M8 8h.01M12.5 8h.01"],
  drag: ["M6 3.5h.01M10 3.5h.01M6 8h.01M10 8h.01M6 12.5h.01M10 12.5h.01"],
  trash: ["M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9"],
  right: ["M2 3h12v10H2z", "M9 3v10"],
  below: ["M2 3h12v10H2z", "M2 8.5h12"],
  beside: ["M2 3h12v10H2z", "M8 3v10"],
  edit: ["M3 13l.6-3L11 2.6l2.4 2.4L6 12.4z", "M9.4 4.2l2.4 2.4"],
  search: ["M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9z", "M10.3 10.3L14 14"],
};

/**
 * A picture beside or instead of a label. Screen readers skip the picture, so the control needs a name.
 *
 * @param {keyof typeof shapes} name
 */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("class", `icon icon-${name}`);
  picture.setAttribute("aria-hidden", "true");
  for (const shape of shapes[name]) {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", shape);
    picture.append(path);
  }
  return picture;
}
