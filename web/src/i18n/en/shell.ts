export default {
  title: 'Tavolino',
} as const;
