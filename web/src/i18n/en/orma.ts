export default {
  title: 'Orma',
} as const;
