export default {
  title: 'Out of Sock',
} as const;
