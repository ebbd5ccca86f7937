/** The words of the lessons' page, in each language; the texts of the lessons come from the program. */
export const words = {
  en: {
    unit: "The class", lessons: "Lessons", lesson: "Lesson", stage: "Interception", steps: "Steps", tasks: "Tasks",
    explanation: "The background", check: "Check", checking: "The tasks are being checked…", hint: "Hint", language: "Language",
    passed: "done", wrong: "not right", open: "open",
    /** @param {number} done @param {number} all */
    done: (done, all) => `${done} of ${all} tasks are done`,
  },
  de: {
    unit: "Die Klasse", lessons: "Lektionen", lesson: "Lektion", stage: "Abfangen", steps: "Schritte", tasks: "Aufgaben",
    explanation: "Was dahintersteckt", check: "Prüfen", checking: "Die Aufgaben werden geprüft…", hint: "Tipp", language: "Sprache",
    passed: "erledigt", wrong: "nicht richtig", open: "offen",
    /** @param {number} done @param {number} all */
    done: (done, all) => `${done} von ${all} Aufgaben sind erledigt`,
  },
};
