DROP TABLE trend_coverage;
DROP TABLE trend_insights;
DROP TABLE vitality_scores;
