/** The words of the lessons' page, in each language; the texts of the lessons come from the program. */
export const words = {
  en: {
    unit: "The class", lessons: "Lessons", lesson: "Lesson", stage: "Interception", steps: "Steps", tasks: "Tasks",
    explanation: "The background", check: "Check", checking: "The tasks are being checked…", hint: "Hint", language: "Language",
    files: "Files", edit: "Edit", save: "Save", saved: "The file is saved", unsaved: "Not saved yet; “Check” saves the file", show: "Show", hide: "Hide",
    terminal: "In a terminal", why: "For your teacher:", app: "The banking app",
    logIn: "Let the app log in", logInTrusting: "Install the CA of the proxy, and let the app log in",
    trials: "Experiments", predictFirst: "Each experiment shows its outcome after your prediction. Your first one is kept, and a wrong one costs nothing.",
    predict: "Your prediction", again: "Make it again", right: "As you predicted:", mistaken: "It came out differently:",
    /** @param {string} choice */
    predicted: (choice) => `You predicted: ${choice}`,
    loggedIn: "The app is logged in", refused: "The app ended the connection",
    passed: "done", wrong: "not right", open: "open",
    /** @param {number} done @param {number} all */
    done: (done, all) => `${done} of ${all} tasks are done`,
    /** @param {string} name */
    readable: (name) => `The readable parts of ${name}`,
    /** @param {number} bytes */
    size: (bytes) => `${bytes} bytes`,
    /** @param {number} count */
    tries: (count) => `${count} ${count === 1 ? "answer was" : "answers were"} wrong`,
    trafficTitle: "", trafficWhy: "",
    /** The words of Traffic, which is English. @type {[string, string][]} */
    traffic: [],
  },
  de: {
    unit: "Die Klasse", lessons: "Lektionen", lesson: "Lektion", stage: "Abfangen", steps: "Schritte", tasks: "Aufgaben",
    explanation: "Was dahintersteckt", check: "Prüfen", checking: "Die Aufgaben werden geprüft…", hint: "Tipp", language: "Sprache",
    files: "Dateien", edit: "Bearbeiten", save: "Speichern", saved: "Die Datei ist gespeichert", unsaved: "Noch nicht gespeichert; „Prüfen“ speichert die Datei", show: "Zeigen", hide: "Ausblenden",
    terminal: "Im Terminal", why: "Für deine Lehrkraft:", app: "Die Bank-App",
    logIn: "Die App meldet sich an", logInTrusting: "Die CA des Proxys installieren; die App meldet sich an",
    trials: "Experimente", predictFirst: "Jedes Experiment zeigt sein Ergebnis nach deiner Vorhersage. Die erste bleibt stehen, und eine falsche kostet nichts.",
    predict: "Deine Vorhersage", again: "Noch einmal machen", right: "Wie vorhergesagt:", mistaken: "Es kam anders:",
    /** @param {string} choice */
    predicted: (choice) => `Vorhergesagt hast du: ${choice}`,
    loggedIn: "Die App ist angemeldet", refused: "Die App hat die Verbindung beendet. Meldung (englisch)",
    passed: "erledigt", wrong: "nicht richtig", open: "offen",
    /** @param {number} done @param {number} all */
    done: (done, all) => `${done} von ${all} Aufgaben sind erledigt`,
    /** @param {string} name */
    readable: (name) => `Die lesbaren Teile von ${name}`,
    /** @param {number} bytes */
    size: (bytes) => `${bytes} Bytes`,
    /** @param {number} count */
    tries: (count) => `${count} ${count === 1 ? "Antwort war" : "Antworten waren"} falsch`,
    trafficTitle: "Die Wörter von Traffic",
    trafficWhy: "Die Ansicht Traffic ist englisch: Ihre Wörter sind die der Standards (RFCs), der Filter und anderer Werkzeuge.",
    traffic: [
      ["Overview", "Überblick"], ["Request", "Anfrage"], ["Response", "Antwort"], ["Both", "Anfrage und Antwort nebeneinander"],
      ["Messages", "Nachrichten eines WebSockets oder Datenstroms"], ["Headers", "Kopfzeilen"], ["Body", "Inhalt der Anfrage oder Antwort"],
      ["Host", "Name des Servers"], ["Path", "Pfad: der Teil der URL hinter dem Namen"], ["Status", "Ergebnis als Zahl: 2xx gelungen, 4xx und 5xx Fehler"],
      ["Size, Duration", "Größe, Dauer"], ["TLS", "als Methode: ein Handshake, der gescheitert ist"],
      ["tunnel", "als Methode: eine Verbindung, deren Inhalt nicht gelesen wurde"], ["CA not trusted", "Der CA wird nicht vertraut"],
      ["alert", "die Meldung, mit der eine Seite den Handshake beendet"], ["completed", "vollständig"], ["aborted by the client", "vom Client abgebrochen"],
      ["failed", "gescheitert"], ["certificate chain", "Zertifikatskette: vom Server bis zur Wurzel"], ["Errors", "nur, was gescheitert ist"],
    ],
  },
};
